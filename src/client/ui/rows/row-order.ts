/** Where the handle's menu moves a row. */
export type Place = 'up' | 'down' | 'first' | 'last';

/** Returns the ids with one of them moved; past either end it stays at that end. */
export function moveTo(ids: readonly string[], id: string, place: Place): string[] {
  const from = ids.indexOf(id);
  if (from === -1) return [...ids];
  const to = { up: from - 1, down: from + 1, first: 0, last: ids.length - 1 }[place];
  const rest = ids.filter((other) => other !== id);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, id);
  return rest;
}

/** Returns the ids while one of them is dragged over another: it takes that one's place. */
export function moveOver(ids: readonly string[], id: string, over: string): string[] {
  const to = ids.indexOf(over);
  if (to === -1 || id === over || !ids.includes(id)) return [...ids];
  const rest = ids.filter((other) => other !== id);
  rest.splice(to, 0, id);
  return rest;
}

/**
 * Sorts rows by `ids`. Rows that are not in it stay after the row that they follow now: they came while the order was chosen.
 */
export function inOrderOf<R>(rows: readonly R[], ids: readonly string[], idOf: (row: R) => string): R[] {
  const indexes = new Map(ids.map((id, index) => [id, index]));
  let last = -1;
  const keyed = rows.map((row, index) => {
    const own = indexes.get(idOf(row));
    last = own ?? last;
    return { row, key: last, known: own === undefined ? 1 : 0, index };
  });
  return keyed
    .toSorted((one, other) => one.key - other.key || one.known - other.known || one.index - other.index)
    .map(({ row }) => row);
}

type Operation = { operation: { source: { id: string | number } | null } };
/** The data that announcements are built from. */
export type Spoken = { ids: readonly string[]; name: (id: string) => string };

/**
 * Builds what a screen reader hears while a row is moved. Positions come from our own order: the library's index is still that of
 * the place where the row was picked up.
 */
export function announcementsOf(current: () => Spoken) {
  const words = ({ operation: { source } }: Operation) => {
    const { ids, name } = current();
    const id = String(source?.id ?? '');
    return { name: name(id), position: `Position ${ids.indexOf(id) + 1} von ${ids.length}` };
  };
  return {
    screenReaderInstructions: {
      draggable:
        'Zum Verschieben die Leertaste drücken, dann die Pfeiltasten; Leertaste legt ab, Escape bricht ab. Die Eingabetaste öffnet ein Menü mit Zielen.',
    },
    announcements: {
      dragstart: (event: Operation) => `${words(event).name} aufgenommen, ${words(event).position}.`,
      dragover: (event: Operation) => `${words(event).name}: ${words(event).position}.`,
      dragend: (event: Operation & { canceled: boolean }) =>
        event.canceled
          ? `Verschieben abgebrochen, ${words(event).name} steht wieder am alten Platz.`
          : `${words(event).name} abgelegt, ${words(event).position}.`,
    },
  };
}
