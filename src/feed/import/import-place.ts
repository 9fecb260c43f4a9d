/** The vault context under which an import's address is sealed: the address may hold a password. */
export const importPlace = (runid: string): string => `import:${runid}`;
