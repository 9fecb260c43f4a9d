const nameOf = (place: string): string => (place === '' ? 'im Datenordner' : `in ${place}`);

/**
 * Returns the error for a command whose settings name another place than the files are in. `known`, `named`: '' for the data
 * folder, or a bucket's name.
 */
export const otherFilesPlace = (known: string, named: string): Error =>
  new Error(
    `Die Dateien dieser Installation liegen ${nameOf(known)}, nach den Einstellungen lägen sie ${nameOf(named)}. Es wurde nichts getan. Bitte setzen Sie KONTOR_STORE wie für das laufende Kontor.`,
  );
