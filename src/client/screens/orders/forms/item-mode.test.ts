import { expect, it } from 'vitest';
import { missingOf, mostOf, paybackText, piecesText } from './item-mode.ts';

it('shows next to an item how many pieces the form can apply to', () => {
  const line = { ordered: 4, open: 1, returnable: 2 };
  expect(piecesText('sent', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  expect(piecesText('cancel', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  // Open pieces were not sent and cannot come back.
  expect(piecesText('return', line)).toBe('4\u00a0Stück bestellt, 2 beim Käufer');
});

it('OIM-03 offers as many pieces as can be cancelled or come back; OIM-02 a shipment names up to all ordered ones', () => {
  const line = { ordered: 4, open: 1, returnable: 2 };
  expect(mostOf('sent', line)).toBe(4);
  expect(mostOf('cancel', line)).toBe(1);
  expect(mostOf('return', line)).toBe(2);
  expect(mostOf('return', { ...line, returnable: 0 })).toBe(1);
});

it('OIM-03 says before a return what the marketplace pays back, and nothing where nobody pays by itself', () => {
  const text = (mode: 'cancel' | 'return', marketplace: string, unit_cents: number | null) =>
    paybackText({ mode, order: { marketplace, currency: 'PLN' }, line: { unit_cents } }, 2);
  expect(text('return', 'A1C3SOZRARQ6R3', 1640)).toMatch(/^Der Marktplatz zahlt .+bis zu 32,80\sPLN zurück\.$/);
  expect(text('return', '', 1640)).toBe('');
  expect(text('return', 'A1C3SOZRARQ6R3', null)).toBe('');
  expect(text('cancel', 'A1C3SOZRARQ6R3', 1640)).toBe('');
});

it('says what the form still needs', () => {
  const typed = { carrier: '', tracking: ' ', reason: '' };
  expect(missingOf('sent', typed)).toBe('Bitte Versanddienst und Sendungsnummer angeben.');
  expect(missingOf('sent', { ...typed, carrier: 'DHL' })).toBe('Bitte eine Sendungsnummer eingeben.');
  expect(missingOf('sent', { ...typed, tracking: '0034' })).toBe('Bitte einen Versanddienst angeben.');
  expect(missingOf('sent', { ...typed, carrier: 'DHL', tracking: '0034' })).toBe('');
  expect(missingOf('cancel', typed)).toBe('Bitte einen Grund wählen.');
  expect(missingOf('return', { ...typed, reason: 'no Reason' })).toBe('');
});
