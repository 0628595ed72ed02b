/** Shared by vite and svelte-check. */
export default { compilerOptions: { runes: true } };
