/**
 * The line to a game's server, opened while the code that talks on it is still on its way: shaking
 * hands takes as long as fetching that. Nothing is said on it before somebody takes it.
 */

let early: { url: string; socket: WebSocket } | null = null;

export function socketUrl(code: string, at: Pick<Location, 'protocol' | 'host'> = location): string {
  return `${at.protocol === 'https:' ? 'wss' : 'ws'}://${at.host}/api/v1/games/${code}/ws`;
}

export function openEarly(code: string): void {
  const url = socketUrl(code);
  try {
    early = { url, socket: new WebSocket(url) };
  } catch {
    // A browser that will not: whoever takes the line hears of it and tries again.
  }
}

/** The early one, once and if it still lives; otherwise another. */
export function openLine(url: string): WebSocket {
  const waiting = early;
  early = null;
  if (waiting?.url === url && waiting.socket.readyState <= WebSocket.OPEN) return waiting.socket;
  waiting?.socket.close();
  return new WebSocket(url);
}
