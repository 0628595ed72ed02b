/// <reference types="svelte" />
/// <reference types="vite/client" />

/** A manual, as HTML: see scripts/manual.ts. */
declare module '*.md' {
  const html: string;
  export default html;
}
