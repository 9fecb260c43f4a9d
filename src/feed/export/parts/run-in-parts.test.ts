import { expect, it } from 'vitest';
import { partsPhase } from './run-in-parts.ts';

it('the progress says how many parts are done, in the singular for one', () => {
  expect(partsPhase(0, 1)).toBe('Regeln, Feldaufbau und Prüfung: 0 von 1 Teil');
  expect(partsPhase(2, 3)).toBe('Regeln, Feldaufbau und Prüfung: 2 von 3 Teilen');
});
