import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsShape, rowsShape } from './document-shape.ts';
import { type DocumentEvent, type DocumentState, reduceDocument, startDocument } from './document-state.ts';
import { sameValue } from './same-value.ts';

type Line = { readonly id: string; readonly text: string };
type Lines = readonly Line[];
type State = DocumentState<Lines, null>;
type Event = DocumentEvent<Lines, null>;

const shape = rowsShape<Line>({
  sentences: (before, after) => (sameValue(before, after) ? [] : ['Geändert.']),
  name: ({ id }) => id,
  version: ({ text }) => text,
  typedPlace: () => 'text',
});
const lines = (...texts: string[]): Lines => texts.map((text) => ({ id: text.charAt(0), text }));
let clock = 0;
const edit = (make: (draft: Lines) => Lines): Event => ({ kind: 'edited', make, mark: null, at: (clock += 5000) });
/** Sets the text of a line; the first letter is its id. */
const put = (text: string) =>
  edit((draft) => draft.map((line) => (line.id === text.charAt(0) ? { ...line, text } : line)));
const add = (text: string) => edit((draft) => [...draft, ...lines(text)]);
const remove = (id: string) => edit((draft) => draft.filter((line) => line.id !== id));
const started: Event = { kind: 'saveStarted' };
const ended: Event = { kind: 'saveEnded' };
const savedEvent = (sent: Lines, revision: number, stored = sent): Event => ({
  kind: 'acknowledged',
  sent,
  stored,
  revision,
});
const foreign = (revision: number, ...texts: string[]): Event => ({
  kind: 'conflicted',
  foreign: { document: lines(...texts), revision, author: 'Anna', own: false, createdAt: null },
});
const choose = (kind: 'both' | 'mine' | 'theirs', theirs: readonly string[] = []): Event => ({
  kind: 'resolved',
  mark: null,
  resolution: kind === 'both' ? { kind, choices: new Map(theirs.map((id) => [id, 'theirs'])) } : { kind },
});
const undone: Event = { kind: 'undone' };
const redone: Event = { kind: 'redone' };
const run = (state: State, ...events: Event[]): State =>
  events.reduce((now, event) => reduceDocument(now, event, shape), state);
const begin = (): State => startDocument({ document: lines('a', 'b'), revision: 1 });
const textOf = (list: Lines) => list.map(({ text }) => text).join(' ');
const summary = (state: State) => ({
  draft: textOf(state.history.present),
  stored: textOf(state.stored),
  dirty: shape.countChanges(state.stored, state.history.present) > 0,
  revision: state.revision,
});

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
      at: (clock += 5000),
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

  const letter = fc.constantFrom('a', 'b', 'c', 'd');
  type Act =
    | { kind: 'put' | 'remove'; id: string }
    | { kind: 'undo' | 'redo' | 'start' | 'answer' | 'answerOther' | 'refuse' | 'both' | 'load' }
    | { kind: 'foreign'; ids: string[] };
  const act: fc.Arbitrary<Act> = fc.oneof(
    { weight: 4, arbitrary: letter.map((id) => ({ kind: 'put' as const, id })) },
    letter.map((id) => ({ kind: 'remove' as const, id })),
    fc.constantFrom('undo', 'redo', 'start', 'answer', 'answerOther', 'refuse', 'both', 'load').map((kind) => ({
      kind,
    })),
    fc.array(letter).map((ids) => ({ kind: 'foreign' as const, ids: [...new Set(ids)] })),
  );

  /** Plays a sequence of edits, server answers and other users' saves, and checks the invariants after each. */
  function play(acts: readonly Act[], check: (before: State, event: Event, after: State) => void): State {
    let state = begin();
    let out: Lines | null = null;
    let number = 0;
    for (const one of acts) {
      const text = (id: string) => `${id}${(number += 1)}`;
      let event: Event | undefined;
      if (one.kind === 'put') {
        const made = text(one.id);
        event = state.history.present.some(({ id }) => id === one.id) ? put(made) : add(made);
      } else if (one.kind === 'remove') event = remove(one.id);
      else if (one.kind === 'undo') event = undone;
      else if (one.kind === 'redo') event = redone;
      else if (one.kind === 'start' && out === null) {
        out = state.history.present;
        event = started;
      } else if ((one.kind === 'answer' || one.kind === 'answerOther') && out !== null) {
        const answer = one.kind === 'answer' ? out : out.map((line) => ({ ...line, text: `${line.text}!` }));
        event = savedEvent(out, state.revision + 1, answer);
        out = null;
      } else if (one.kind === 'refuse' && out !== null) {
        out = null;
        event = ended;
      } else if (one.kind === 'foreign') {
        out = null;
        event = foreign(state.revision + 1, ...one.ids.map(text));
      } else if (one.kind === 'both') event = choose('both');
      else if (one.kind === 'load')
        event = { kind: 'loaded', document: lines(text('a')), revision: state.revision + 1 };
      if (event === undefined) continue;
      const after = run(state, event);
      check(state, event, after);
      state = after;
    }
    return state;
  }

  it('GEN-05 only an edit, an undo or redo, or a choice in a conflict changes an unsaved row', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        let typed = new Map<string, string>();
        play(acts, (before, event, after) => {
          const now = new Map(after.history.present.map(({ id, text }) => [id, text]));
          if (event.kind === 'edited') {
            const was = new Map(before.history.present.map(({ id, text }) => [id, text]));
            for (const [id, text] of now) if (was.get(id) !== text) typed.set(id, text);
            for (const id of was.keys()) if (!now.has(id)) typed.delete(id);
          } else if (event.kind === 'undone' || event.kind === 'redone') {
            typed = new Map([...typed].filter(([id, text]) => now.get(id) === text));
          } else if (event.kind === 'acknowledged') {
            // What was sent is now as the server stored it; what was typed since then is unchanged.
            const out = new Map(event.sent.map(({ id, text }) => [id, text]));
            typed = new Map([...typed].filter(([id, text]) => out.get(id) !== text));
          } else if (event.kind === 'loaded' && !summary(before).dirty) typed = new Map();
          for (const [id, text] of typed) expect(now.get(id)).toBe(text);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('GEN-05 it is dirty exactly when the draft differs from what is stored', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        play(acts, (_before, _event, after) => {
          const { draft, dirty } = summary(after);
          expect(dirty).toBe(draft !== textOf(after.stored));
        });
      }),
    );
  });

  it('undo and redo cancel each other, and undo after any edit restores the state before it', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const state = play(acts, (before, event, after) => {
          if (event.kind === 'edited' && after !== before)
            expect(run(after, undone).history.present).toBe(before.history.present);
        });
        if (state.history.past.length > 0)
          expect(run(state, undone, redone).history.present).toBe(state.history.present);
        if (state.history.future.length > 0)
          expect(run(state, redone, undone).history.present).toBe(state.history.present);
      }),
    );
  });
});
