/** Random ids. crypto.randomUUID is missing on plain-HTTP addresses, getRandomValues is not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
