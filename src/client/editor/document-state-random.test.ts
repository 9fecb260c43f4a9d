import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Lines,
  type State,
  type Event,
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
  begin,
  textOf,
  summary,
} from './document-state-fixture.ts';

describe('a document after random edits, saves and answers', () => {
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
