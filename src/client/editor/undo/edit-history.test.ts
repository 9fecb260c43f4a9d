import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EditHistory, endTyping, recordEdit, redoEdit, startHistory, undoEdit } from './edit-history.ts';

type Texts = EditHistory<string, string>;
const start = (): Texts => startHistory('');
const undo = (history: Texts): Texts => undoEdit(history)?.history ?? history;
const redo = (history: Texts): Texts => redoEdit(history)?.history ?? history;
/** Types a text letter by letter, `gap` milliseconds apart. */
const type = (history: Texts, text: string, { place = 'name', from = 0, gap = 100 } = {}): Texts =>
  Array.from(text).reduce(
    (now, letter, index) => recordEdit(now, now.present + letter, letter, { place, at: from + index * gap }),
    history,
  );

describe('undo and redo of a form', () => {
  it('undoes text typed without a pause in one step, and redoes it', () => {
    const typed = type(start(), 'Hammer');
    expect(undo(typed).present).toBe('');
    expect(redo(undo(typed)).present).toBe('Hammer');
    expect(undo(undo(typed))).toEqual(undo(typed));
  });

  it('a pause, another field, another edit in between and a save each begin a new undo step', () => {
    const first = type(start(), 'ab');
    expect(undo(type(first, 'cd', { from: 5000 })).present).toBe('ab');
    expect(undo(type(first, 'cd', { from: 200, place: 'description' })).present).toBe('ab');
    expect(undo(type(endTyping(first), 'cd', { from: 200 })).present).toBe('ab');
    const between = recordEdit(first, 'AB', 'order');
    expect(undo(type(between, 'c', { from: 200 })).present).toBe('AB');
    expect(undo(undo(type(between, 'c', { from: 200 }))).present).toBe('ab');
  });

  it('returns the mark of the step that is undone or redone', () => {
    const history = recordEdit(recordEdit(start(), 'a', 'first'), 'b', 'second');
    expect(undoEdit(history)?.mark).toBe('second');
    expect(undoEdit(undo(history))?.mark).toBe('first');
    expect(redoEdit(undo(undo(history)))?.mark).toBe('first');
    expect(undoEdit(start())).toBeUndefined();
    expect(redoEdit(history)).toBeUndefined();
  });

  it('an edit after an undo discards the redo steps; an edit that changes nothing is not recorded', () => {
    const history = recordEdit(undo(recordEdit(start(), 'a', '')), 'b', '');
    expect(redo(history)).toBe(history);
    expect(recordEdit(history, 'b', '')).toBe(history);
  });

  it('any sequence of undo and redo over any edits ends at the state of that step number', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 30 }), fc.array(fc.boolean()), (texts, walk) => {
        const states = ['', ...texts.map((text, index) => `${index} ${text}`)];
        let history = states.slice(1).reduce((now, text) => recordEdit(now, text, text), start());
        let position = states.length - 1;
        for (const back of walk) {
          history = back ? undo(history) : redo(history);
          position = Math.max(0, Math.min(states.length - 1, position + (back ? -1 : 1)));
          expect(history.present).toBe(states[position]);
        }
      }),
    );
  });

  it('keeps the last 200 steps', () => {
    let history = start();
    for (let index = 0; index < 300; index += 1) history = recordEdit(history, String(index), '');
    for (let index = 0; index < 300; index += 1) history = undo(history);
    expect(history.present).toBe('99');
  });
});
