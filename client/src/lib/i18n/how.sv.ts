/** Så spelar man. Laddas bara med sin sida. */

import type { How } from './how.en';

export const how: How = {
  lead: 'Du hör en låt och lägger den bland dina egna kort, i årens ordning. Den som har flest kort till slut vinner.',
  steps: [
    ['Välj ditt startår', 'Det blir ditt första kort. Alla får en joker.'],
    ['Lyssna', 'En av er leder rundan, och alla får sin tur: det är ett varv.'],
    ['Lägg, namnge, nämn', 'Lägg låten mellan två av dina kort. Välj sedan titel och artist bland tio av varje.'],
    ['Se svaret', 'Rätt plats: kortet är ditt. Samma år på endera sidan är också rätt.'],
  ],
  oracleTitle: 'Oracle-utgåvan',
  oracle: [
    'Oracle ser svaret och tippar hur svår låten är att placera. Rätt tippat: ett Oracle-kort.',
    'De andra ändrar sina svar fritt tills Oracle låser.',
    'Både titel och artist rätt: en joker. En joker visar låtens årtionde.',
    'Flest kort i tidslinjen vinner; Oracle-kort skiljer lika. Vänner kan gå med mellan varven.',
  ],
  djTitle: 'DJ-utgåvan',
  dj: [
    'DJ:n spelar låten och gissar med, utan jokrar.',
    'Först plats, sedan titel, sedan artist. Plats och titel ligger fast när de är skickade.',
    'Rätt plats, eller båda namnen: ett kort. Alla tre: en stjärna på det, och en joker.',
    'En joker visar årtiondet, eller lämnar tre av de tio titlarna eller artisterna.',
    'Flest kort vinner; stjärnor skiljer lika. Det DJ:n vinner ligger bredvid tidslinjen.',
  ],
  endTitle: 'När det tar slut',
  end: 'Efter varje varv väljer den som håller i spelet: ett varv till, eller slut. Bara hela varv räknas.',
};
