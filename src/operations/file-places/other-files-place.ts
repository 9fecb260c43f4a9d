const nameOf = (place: string): string => (place === '' ? 'im Datenordner' : `in ${place}`);

/** A command that would look where no file lies. `known`, `named`: '' for the data folder, or a bucket's name. */
export const otherFilesPlace = (known: string, named: string): Error =>
  new Error(
    `Die Dateien dieser Installation liegen ${nameOf(known)}, nach den Einstellungen lägen sie ${nameOf(named)}. Es wurde nichts getan. Bitte setzen Sie KONTOR_STORE wie für das laufende Kontor.`,
  );
