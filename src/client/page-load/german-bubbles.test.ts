import { describe, expect, it } from 'vitest';
import { bubbleText } from './german-bubbles.ts';

describe('messages for invalid form fields (GEN-01)', () => {
  const text = (validity: Partial<ValidityState>, type = 'text', value = '') =>
    bubbleText({ type, value, minLength: 12, validity });

  it('say in German what is missing', () => {
    expect(text({ valueMissing: true })).toBe('Bitte füllen Sie dieses Feld aus.');
    expect(text({ valueMissing: true }, 'email')).toBe('Bitte füllen Sie dieses Feld aus.');
    expect(text({ valueMissing: true }, 'checkbox')).toBe('Bitte setzen Sie das Häkchen.');
    expect(text({ valueMissing: true }, 'select-one')).toBe('Bitte wählen Sie etwas aus.');
  });

  it('say in German which form an address and a password must have', () => {
    expect(text({ typeMismatch: true }, 'email', 'frieda')).toContain('name@beispiel.de');
    expect(text({ typeMismatch: true }, 'url', 'beispiel')).toContain('https://beispiel.de/datei.csv');
    expect(text({ tooShort: true }, 'password', 'kurz')).toBe(
      'Bitte geben Sie mindestens 12 Zeichen ein, bisher sind es 4.',
    );
  });

  it('leave other errors to the browser', () => {
    expect(text({ badInput: true }, 'number')).toBeUndefined();
    expect(text({ customError: true })).toBeUndefined();
  });
});
