import { describe, expect, it } from 'vitest';
import { readReferenceRates } from './read-reference-rates.ts';

describe('reference rates', () => {
  it('are read for each day, in millionths', () => {
    const text = `<E><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0534'/><Cube currency='JPY' rate='163.05'/></Cube></Cube></E>`;
    expect(readReferenceRates(text)).toEqual([
      { currency: 'USD', day: '2026-11-20', micros: 1_053_400 },
      { currency: 'JPY', day: '2026-11-20', micros: 163_050_000 },
    ]);
  });

  it('a response without rates is refused, and so is one that is no XML', () => {
    const bad = [
      '<html><body>Wartung</body></html>',
      'Wartung',
      `<Cube time='2026-13-40'><Cube currency='USD' rate='1.05'/></Cube>`,
      `<Cube time='2026-11-20'><Cube currency='USD' rate='-1'/><Cube currency='usd' rate='1'/></Cube>`,
    ];
    for (const text of bad) expect(() => readReferenceRates(text)).toThrow(/Die (Antwort|Datei)/);
  });
});
