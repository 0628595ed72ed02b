/** How to play. Loaded with its page only. */

export const how = {
  lead: 'You hear a song and place it among your own cards, in order of year. Whoever has most cards in the end wins.',
  steps: [
    ['Choose your start year', 'It becomes your first card. Everyone gets one joker.'],
    ['Listen', 'One of you leads the round, and everyone takes a turn: that is a lap.'],
    ['Place, name, credit', 'Put the song between two of your cards. Then pick its title and artist from ten of each.'],
    ['See the answer', 'Right place: the card is yours. The same year on either side is right too.'],
  ] as [string, string][],
  oracleTitle: 'Oracle edition',
  oracle: [
    'The Oracle sees the answer and predicts how hard the song is to place. Right prediction: an Oracle Card.',
    'The others change their answers freely until the Oracle locks.',
    'Title and artist both right: a joker. A joker shows the decade of a song.',
    'Most cards in the timeline wins; Oracle Cards break ties. Friends can join between laps.',
  ],
  djTitle: 'DJ edition',
  dj: [
    'The DJ plays the song and guesses along, without jokers.',
    'Place first, then title, then artist. Place and title are final once sent.',
    'Right place, or both names: a card. All three: a star on it, and a joker.',
    'A joker shows the decade, or leaves three of the ten titles or artists.',
    'Most cards wins; stars break ties. What the DJ wins lies beside the timeline.',
  ],
  endTitle: 'When it ends',
  end: 'After each lap the host chooses: another lap, or the end. Only full laps count.',
};
export type How = typeof how;
