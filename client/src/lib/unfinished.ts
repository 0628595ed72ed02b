/** Ending a game that this person owns, also when its seat is on another phone. */

import { api } from './api';
import { leaveSeat, seatIn, takeSeat, ticketIn } from './session';

const HOST = 'p1';

/** The host's seat: kept here, or recovered by the owner's cookie. */
export async function hostSeat(code: string): Promise<string> {
  const kept = seatIn(code);
  if (kept?.player === HOST) return kept.token;
  const { link } = await api.rejoinLink(code, HOST);
  const { player, token } = await api.rejoin(code, ticketIn(link) ?? '');
  takeSeat({ code, player, token, name: '' });
  return token;
}

export async function endUnfinished(code: string): Promise<void> {
  const token = await hostSeat(code);
  await api.command(code, token, { type: 'finish_game' });
  leaveSeat(code);
}
