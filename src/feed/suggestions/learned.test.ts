import { expect, test } from 'vitest';
import { Learned } from './learned.ts';

const decisions = (times: number) => [
  { value: 'Bosch Akkuschrauber', target: 'Schrauber', where: 'x' },
  ...Array.from({ length: times }, (_, at) => ({ value: `Bosch Teil T${at}x`, target: 'Teile', where: 'x' })),
];

test('CAT-04 a word that occurs in thousands of decisions does not lower the confidence', () => {
  const sure = (times: number) => new Learned(decisions(times)).like('Bosch Akkuschrauber rot', [], 1)[0]?.score ?? 0;
  expect(sure(3900)).toBeGreaterThan(0.7);
  expect(sure(4100)).toBeCloseTo(sure(3900), 2);
});
