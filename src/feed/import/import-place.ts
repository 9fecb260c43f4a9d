/** The place that the address of an import is sealed at: it may hold a password. */
export const importPlace = (runid: string): string => `import:${runid}`;
