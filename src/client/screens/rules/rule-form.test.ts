import { describe, expect, it } from 'vitest';
import { checkRules } from '#shared/rules/check.ts';
import { newAction, newRule, type Rule } from '#shared/rules/schema.ts';
import { CallError } from '#client/call.ts';
import { csvOfCells, unguarded } from '#client/csv-download.ts';
import { regexWarning } from '#client/screens/rules/form/regex-warning.ts';
import { asShown } from './rule-changes.ts';
import { notesOf, refusalsOf } from './rule-notes.ts';

let made = 0;
const nextId = () => `Regel${String((made += 1)).padStart(5, '0')}`;
const rule = (name: string): Rule => ({ ...newRule(nextId), name });
const refused = (...fields: { field: string; message: string }[]) =>
  new CallError(422, { code: 'rules_wrong', message: 'Nein.', fields, requestId: '1' });

describe('the rules as a form', () => {
  it("RUL-07 a stored number that is not valid is shown as '0'", () => {
    const action = { ...newAction(nextId), field: 'preis', select: 'calculate' as const };
    const value = [
      { type: '_field' as const, value: 'preis' },
      { type: '_number' as const, value: '1,5' },
    ];
    const [read] = asShown({ ...rule('a'), actions: [{ ...action, value }] }).actions;
    expect(read?.value[1]?.value).toBe('0');
    expect(read?.value[0]?.value).toBe('preis');
  });

  it('RUL-07 an unused third entry of a replacement is dropped, so that it does not block every save of the list', () => {
    const value = ['alt', 'neu', 'mehr'].map((text) => ({ type: '_string' as const, value: text }));
    const stored = {
      ...rule('a'),
      actions: [{ ...newAction(nextId), field: 'titel', select: 'replace' as const, value }],
    };
    const errors = (list: Rule[]) =>
      checkRules(list, ['titel'], regexWarning).filter(({ severity }) => severity === 'error');
    expect(errors([stored])).toHaveLength(1);
    expect(errors([asShown(stored)])).toEqual([]);
    expect(asShown(stored).actions[0]?.value.map((entry) => entry.value)).toEqual(['alt', 'neu']);
  });

  it('RUL-07 a refusal is shown at its part, also after the part moved, until the part changes', () => {
    const [first, second] = [rule('a'), rule('b')];
    const two = { ...second, actions: [newAction(nextId), newAction(nextId)] };
    const refusals = refusalsOf(refused({ field: '1.actions.1.value.0.value', message: 'Invalid Regex: …' }), [
      first,
      two,
    ]);
    expect(notesOf(two, { problems: [], refusals, cleaned: null })['actions.1.value.0.value']).toEqual({
      error: 'Invalid Regex: …',
    });
    const moved = { ...two, actions: two.actions.toReversed() };
    expect(notesOf(moved, { problems: [], refusals, cleaned: null })['actions.0.value.0.value']).toEqual({
      error: 'Invalid Regex: …',
    });
    const changed = { ...two, actions: two.actions.map((action) => ({ ...action })) };
    expect(notesOf(changed, { problems: [], refusals, cleaned: null })).toEqual({});
    expect(notesOf(first, { problems: [], refusals, cleaned: null })).toEqual({});
  });

  it.each(['^Ham', '(?i)ham', '(?P<name>a)', '\\d+\\s', '[[:alpha:]]+', '\\Qa(b\\E', 'a[(]b', '(?i:x)|y', ''])(
    'RUL-07 accepts %s without a warning',
    (pattern) => expect(regexWarning(pattern)).toBeUndefined(),
  );

  it.each(['(', 'a**', '(?=x)', '(?<!x)', '(a)\\1', '(?<name>a)', 'x'.repeat(513)])('RUL-07 warns of %s', (pattern) =>
    expect(regexWarning(pattern)).toBeDefined(),
  );

  it('RUL-12 a table as CSV is safe to open in a spreadsheet', () => {
    const cells = [
      ['sku', 'a;b'],
      ['1', '=1+1'],
      ['2', '-3,50'],
      ['3', 'sagt "ja"'],
      ['4', ''],
    ];
    expect(csvOfCells(cells)).toBe('\ufeffsku;"a;b"\r\n1;\'=1+1\r\n2;-3,50\r\n3;"sagt ""ja"""\r\n4;\r\n');
  });
  it.each(['=', '+', '-', '@', '\t', '\r', '\n', '\0', '\n='])(
    'T21 a cell that begins with %j is written so that it cannot run as a formula, and is read back unchanged',
    (start) => {
      const value = `${start}SUMME(A1)`;
      expect(csvOfCells([[value]]).replaceAll('"', '')).toBe(`\ufeff'${value}\r\n`);
      expect(unguarded(`'${value}`)).toBe(value);
    },
  );
});
