import { describe, expect, it } from 'vitest';
import { fieldsShape } from './document-shape.ts';
import { type DocumentEvent, reduceDocument, startDocument } from './document-state.ts';
import {
  type Event,
  later,
  lines,
  put,
  add,
  remove,
  started,
  ended,
  savedEvent,
  foreign,
  choose,
  undone,
  redone,
  run,
  shape,
  begin,
  summary,
} from './document-state-fixture.ts';

const sent = lines('a1', 'b');
const cases: [string, Event[], ReturnType<typeof summary>][] = [
  ['no event', [], { draft: 'a b', stored: 'a b', dirty: false, revision: 1 }],
  ['an edit', [put('a1')], { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 }],
  [
    'an edit that restores the stored text',
    [put('a1'), put('a')],
    { draft: 'a b', stored: 'a b', dirty: false, revision: 1 },
  ],
  ['an undone edit', [put('a1'), undone], { draft: 'a b', stored: 'a b', dirty: false, revision: 1 }],
  [
    'an edit undone and redone',
    [put('a1'), undone, redone],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 },
  ],
  ['a save in progress', [put('a1'), started], { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 }],
  [
    'a successful save',
    [put('a1'), started, savedEvent(sent, 2), ended],
    { draft: 'a1 b', stored: 'a1 b', dirty: false, revision: 2 },
  ],
  [
    'an edit of the same row during a save',
    [put('a1'), started, put('a2'), savedEvent(sent, 2), ended],
    { draft: 'a2 b', stored: 'a1 b', dirty: true, revision: 2 },
  ],
  [
    'an edit of another row during a save',
    [put('a1'), started, put('b2'), savedEvent(sent, 2), ended],
    { draft: 'a1 b2', stored: 'a1 b', dirty: true, revision: 2 },
  ],
  [
    'a new row during a save',
    [put('a1'), started, add('c'), savedEvent(sent, 2), ended],
    { draft: 'a1 b c', stored: 'a1 b', dirty: true, revision: 2 },
  ],
  ['a refused save', [put('a1'), started, ended], { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 }],
  [
    'a save that the server stores changed',
    [put('a1'), started, savedEvent(sent, 2, lines('a9', 'b')), ended],
    { draft: 'a9 b', stored: 'a9 b', dirty: false, revision: 2 },
  ],
  [
    'a save stored changed, with an edit during the save',
    [put('a1'), started, put('a2'), savedEvent(sent, 2, lines('a9', 'b')), ended],
    { draft: 'a2 b', stored: 'a9 b', dirty: true, revision: 2 },
  ],
  [
    'a save stored changed, with the row deleted during the save',
    [put('a1'), started, remove('a'), savedEvent(sent, 2, lines('a9', 'b')), ended],
    { draft: 'b', stored: 'a9 b', dirty: true, revision: 2 },
  ],
  [
    'a save of only part of the edits',
    [put('a1'), put('b1'), started, savedEvent(lines('a1', 'b'), 2), ended],
    { draft: 'a1 b1', stored: 'a1 b', dirty: true, revision: 2 },
  ],
  [
    'an undo after a save',
    [put('a1'), started, savedEvent(sent, 2), ended, undone],
    { draft: 'a b', stored: 'a1 b', dirty: true, revision: 2 },
  ],
  [
    'an undo after a save, redone',
    [put('a1'), started, savedEvent(sent, 2), ended, undone, redone],
    { draft: 'a1 b', stored: 'a1 b', dirty: false, revision: 2 },
  ],
  [
    'a conflict with the save of another user',
    [put('a1'), started, foreign(2, 'a', 'b2'), ended],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 },
  ],
  [
    'a conflict resolved with both versions',
    [put('a1'), foreign(2, 'a', 'b2'), choose('both')],
    { draft: 'a1 b2', stored: 'a b2', dirty: true, revision: 2 },
  ],
  [
    'a conflict in one row, resolved with my row',
    [put('a1'), foreign(2, 'a2', 'b'), choose('both')],
    { draft: 'a1 b', stored: 'a2 b', dirty: true, revision: 2 },
  ],
  [
    'a conflict in one row, resolved with their row',
    [put('a1'), foreign(2, 'a2', 'b'), choose('both', ['a'])],
    { draft: 'a2 b', stored: 'a2 b', dirty: false, revision: 2 },
  ],
  [
    'a conflict in one row, resolved with my row, undone',
    [put('a1'), foreign(2, 'a2', 'b'), choose('both'), undone],
    { draft: 'a b', stored: 'a2 b', dirty: true, revision: 2 },
  ],
  [
    'a conflict resolved with both versions, undone',
    [put('a1'), foreign(2, 'a', 'b2'), choose('both'), undone],
    { draft: 'a1 b', stored: 'a b2', dirty: true, revision: 2 },
  ],
  [
    'a conflict resolved with my version',
    [put('a1'), foreign(2, 'a', 'b2'), choose('mine')],
    { draft: 'a1 b', stored: 'a b2', dirty: true, revision: 2 },
  ],
  [
    'a conflict resolved with their version',
    [put('a1'), foreign(2, 'a', 'b2'), choose('theirs')],
    { draft: 'a b2', stored: 'a b2', dirty: false, revision: 2 },
  ],
  [
    'a conflict resolved with their version, undone',
    [put('a1'), foreign(2, 'a', 'b2'), choose('theirs'), undone],
    { draft: 'a1 b', stored: 'a b2', dirty: true, revision: 2 },
  ],
  [
    'a resolution without a conflict',
    [put('a1'), choose('theirs')],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 },
  ],
  [
    'a resolution after the conflict was closed',
    [put('a1'), foreign(2, 'a', 'b2'), { kind: 'conflictClosed' }, choose('theirs')],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 },
  ],
  [
    'a newer revision loaded without unsaved edits',
    [{ kind: 'loaded', document: lines('a5'), revision: 5 }],
    { draft: 'a5', stored: 'a5', dirty: false, revision: 5 },
  ],
  [
    'a newer revision loaded with unsaved edits',
    [put('a1'), { kind: 'loaded', document: lines('a5'), revision: 5 }],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 1 },
  ],
  [
    'an identical document with a newer revision loaded with unsaved edits',
    [put('a1'), { kind: 'loaded', document: lines('a', 'b'), revision: 5 }],
    { draft: 'a1 b', stored: 'a b', dirty: true, revision: 5 },
  ],
  [
    'an older revision loaded',
    [{ kind: 'loaded', document: lines('a5'), revision: 1 }],
    { draft: 'a b', stored: 'a b', dirty: false, revision: 1 },
  ],
  [
    'rows added to draft and history',
    [put('a1'), { kind: 'changedEverywhere', change: (state) => [...state, ...lines('z')] }, undone],
    { draft: 'a b z', stored: 'a b z', dirty: false, revision: 1 },
  ],
  [
    'a row deleted on the server, and an undo',
    [{ kind: 'storedChanged', change: (stored) => stored.slice(1), revision: 2 }, remove('a'), undone],
    { draft: 'a b', stored: 'b', dirty: true, revision: 2 },
  ],
];

describe('a document while it is edited', () => {
  it.each(cases)('GEN-05 %s', (_title, events, expected) => {
    expect(summary(run(begin(), ...events))).toEqual(expected);
  });

  it('typing after a save, and discarding, are undo steps of their own', () => {
    const at = 100;
    const type = (text: string, later: number): Event => ({
      ...put(text),
      kind: 'edited',
      at: at + later,
      mark: null,
      make: (draft) => draft.map((line) => (line.id === 'a' ? { ...line, text } : line)),
    });
    const typed = run(begin(), type('a1', 0), type('a12', 100));
    expect(summary(run(typed, undone)).draft).toBe('a b');
    expect(summary(run(typed, { kind: 'discarded', mark: null }, undone)).draft).toBe('a12 b');
    const saved = run(typed, started, savedEvent(lines('a12', 'b'), 2), ended, type('a123', 200));
    expect(summary(run(saved, undone)).draft).toBe('a12 b');
  });

  it('a merge that only adds what undo would keep is no step: undo goes back to the last edit', () => {
    const keeping: typeof shape = {
      ...shape,
      keepStored: (draft, stored) => [...draft, ...stored.filter(({ id }) => !draft.some((line) => line.id === id))],
    };
    const go = (...events: Event[]) => events.reduce((now, event) => reduceDocument(now, event, keeping), begin());
    const merged = go(put('a1'), foreign(5, 'a', 'b', 'c'), choose('both'));
    expect(summary(merged)).toEqual({ draft: 'a1 b c', stored: 'a b c', dirty: true, revision: 5 });
    expect(summary(reduceDocument(merged, undone, keeping)).draft).toBe('a b c');
    // A merge that also changes a line of the draft can be undone.
    const changed = go(put('a1'), foreign(5, 'a', 'b5', 'c'), choose('both'), undone);
    expect(summary(changed).draft).toBe('a1 b c');
  });

  it('undo does not bring back a saved password; one typed during the save stays', () => {
    type Form = { host: string; password: string };
    const form = fieldsShape<Form>({
      labels: { host: 'Host', password: 'Passwort' },
      withoutSecrets: (state) => ({ ...state, password: '' }),
    });
    const set = (part: Partial<Form>): DocumentEvent<Form, null> => ({
      kind: 'edited',
      make: (draft) => ({ ...draft, ...part }),
      mark: null,
      at: later(),
    });
    const go = (...events: DocumentEvent<Form, null>[]) =>
      events.reduce(
        (now, event) => reduceDocument(now, event, form),
        startDocument<Form, null>({ document: { host: '', password: '' }, revision: 1 }),
      );
    const first = { host: 'h', password: 'x' };
    const answered = { kind: 'acknowledged', sent: first, stored: { host: 'h', password: '' }, revision: 2 } as const;
    const saved = go(set({ password: 'x' }), set({ host: 'h' }), answered);
    expect(saved.history.present).toEqual({ host: 'h', password: '' });
    expect(reduceDocument(saved, { kind: 'undone' }, form).history.present.password).toBe('');
    const typed = go(set({ password: 'x' }), set({ host: 'h' }), set({ password: 'y' }), answered);
    expect(typed.history.present).toEqual({ host: 'h', password: 'y' });
  });
});
