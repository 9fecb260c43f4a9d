import { rowsShape } from './document-shape.ts';
import { type DocumentEvent, type DocumentState, reduceDocument, startDocument } from './document-state.ts';
import { sameValue } from './same-value.ts';

export type Line = { readonly id: string; readonly text: string };
export type Lines = readonly Line[];
export type State = DocumentState<Lines, null>;
export type Event = DocumentEvent<Lines, null>;

export const shape = rowsShape<Line>({
  sentences: (before, after) => (sameValue(before, after) ? [] : ['Geändert.']),
  name: ({ id }) => id,
  version: ({ text }) => text,
  typedPlace: () => 'text',
});
export const lines = (...texts: string[]): Lines => texts.map((text) => ({ id: text.charAt(0), text }));
let clock = 0;
/** Returns a moment so long after the last one that both edits are undo steps of their own. */
export const later = (): number => (clock += 5000);
export const edit = (make: (draft: Lines) => Lines): Event => ({
  kind: 'edited',
  make,
  mark: null,
  at: later(),
});
/** Sets the text of a line; the first letter is its id. */
export const put = (text: string) =>
  edit((draft) => draft.map((line) => (line.id === text.charAt(0) ? { ...line, text } : line)));
export const add = (text: string) => edit((draft) => [...draft, ...lines(text)]);
export const remove = (id: string) => edit((draft) => draft.filter((line) => line.id !== id));
export const started: Event = { kind: 'saveStarted' };
export const ended: Event = { kind: 'saveEnded' };
export const savedEvent = (sent: Lines, revision: number, stored = sent): Event => ({
  kind: 'acknowledged',
  sent,
  stored,
  revision,
});
export const foreign = (revision: number, ...texts: string[]): Event => ({
  kind: 'conflicted',
  foreign: { document: lines(...texts), revision, author: 'Anna', own: false, createdAt: null },
});
export const choose = (kind: 'both' | 'mine' | 'theirs', theirs: readonly string[] = []): Event => ({
  kind: 'resolved',
  mark: null,
  resolution: kind === 'both' ? { kind, choices: new Map(theirs.map((id) => [id, 'theirs'])) } : { kind },
});
export const undone: Event = { kind: 'undone' };
export const redone: Event = { kind: 'redone' };
export const run = (state: State, ...events: Event[]): State =>
  events.reduce((now, event) => reduceDocument(now, event, shape), state);
export const begin = (): State => startDocument({ document: lines('a', 'b'), revision: 1 });
export const textOf = (list: Lines) => list.map(({ text }) => text).join(' ');
export const summary = (state: State) => ({
  draft: textOf(state.history.present),
  stored: textOf(state.stored),
  dirty: shape.countChanges(state.stored, state.history.present) > 0,
  revision: state.revision,
});
