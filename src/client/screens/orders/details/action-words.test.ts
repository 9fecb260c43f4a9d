import { expect, it } from 'vitest';
import type { OrderAction } from '#shared/orders/schema.ts';
import { actionTitle, answerTexts } from './action-words.ts';

const action = (more: Partial<OrderAction>) =>
  ({ kind: 'refund', lines: [], carrier: '', tracking: '', reason: '', cents: 500, ...more }) as OrderAction;
const title = (more: Partial<OrderAction>) => actionTitle(action(more), 'EUR').replaceAll('\u00a0', ' ');

it("GEN-01 OIM-03 a marketplace's reason codes are translated into German, typed reasons are unchanged", () => {
  expect(title({ reason: 'GeneralAdjustment' })).toBe('Erstattung von 5,00 €: Kulanz');
  expect(title({ reason: 'Undeliverable' })).toBe('Erstattung von 5,00 €: Nicht zustellbar');
  expect(title({ reason: 'Kratzer am Griff' })).toBe('Erstattung von 5,00 €: Kratzer am Griff');
  const lines = [{ productid: '1', quantity: 2 }];
  expect(title({ kind: 'cancel', lines, reason: 'NoInventory' })).toBe('Stornierung von 2 Stück: Kein Bestand');
  expect(title({ kind: 'return', lines, reason: 'no Reason', cents: null })).toBe('Retoure von 2 Stück: Keine Angabe');
  expect(title({ kind: 'return', lines, reason: 'no Reason' })).toBe(
    'Retoure von 2 Stück mit Erstattung von 5,00 €: Keine Angabe',
  );
});

it('what the channel answered is said once, also if the message repeats its issues', () => {
  const issue = (message: string) => ({ code: 'NotFound', message, field: '' });
  const unknown = 'Diese Bestellung gibt es bei Amazon nicht.';
  expect(answerTexts({ message: unknown, issues: [issue(unknown), issue(unknown)] })).toEqual([unknown]);
  expect(answerTexts({ message: 'Abgelehnt.', issues: [issue(unknown)] })).toEqual(['Abgelehnt.', unknown]);
  expect(answerTexts({ message: '', issues: [] })).toEqual([]);
});
