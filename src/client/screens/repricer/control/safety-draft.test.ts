import { expect, it } from 'vitest';
import { normalSafety } from '#shared/repricer/safety.ts';
import { otherWords, rebased } from './safety-draft.ts';

it("REP-19 another user's saved values are taken over and named, own unsaved ones are kept", () => {
  const now = { ...normalSafety, step: 25, pause: 10 };
  const draft = { ...normalSafety, step: '', snapshotAge: 168 };
  expect(rebased(draft, normalSafety, now)).toEqual({ ...now, step: '', snapshotAge: 168 });
  expect(otherWords(normalSafety, now)).toContain(
    '(Größter Sprung je Versand: vorher 30 %, jetzt 25 %; Abstand zweier Preise eines Artikels: vorher 5 Min., jetzt 10 Min.).',
  );
});
