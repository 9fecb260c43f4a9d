import { expect, it } from 'vitest';
import { missingOf, piecesText } from './item-mode.ts';

it('shows next to an item how many pieces the form can apply to', () => {
  const line = { ordered: 4, open: 1, returnable: 2 };
  expect(piecesText('sent', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  expect(piecesText('cancel', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  // Open pieces were not sent and cannot come back.
  expect(piecesText('return', line)).toBe('4\u00a0Stück bestellt, 2 beim Käufer');
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
