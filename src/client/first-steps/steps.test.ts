import { expect, it } from 'vitest';
import type { FirstSteps } from '#shared/masters/first-steps.ts';
import { isOnTheWay, nextOf, stepsOf } from './steps.ts';

const nothing: FirstSteps = { masterid: null, imported: false, exportid: null, assigned: false, file: false };
const next = (steps: Partial<FirstSteps>, looked = false) => {
  const step = nextOf(stepsOf({ ...nothing, ...steps }, looked));
  return step && [step.label, step.to];
};

it('the next step and its page follow from what exists already', () => {
  expect(next({})).toEqual(['Katalog anlegen', '/?katalog=neu']);
  expect(next({ masterid: 'm1' })).toEqual(['Datei importieren', '/master/m1/import']);
  const imported = { masterid: 'm1', imported: true };
  expect(next(imported)).toEqual(['Artikel ansehen', '/master/m1/artikel']);
  expect(next(imported, true)).toEqual(['Export anlegen', '/?export=m1']);
  const made = { ...imported, exportid: 'e1' };
  expect(next(made)).toEqual(['Felder zuordnen', '/exports/e1/feldaufbau?vorschlaege=1']);
  expect(next({ ...made, assigned: true })).toEqual(['Datei holen', '/exports/e1']);
  expect(next({ ...made, assigned: true, file: true })).toBeUndefined();
});

it('a step whose prerequisite is missing has no link yet', () => {
  expect(stepsOf(nothing, false).map(({ to }) => to)).toEqual(['/?katalog=neu', null, null, null, null, null]);
});

it('the steps are shown only on the screens that belong to them', () => {
  expect(['/', '/master/m1/artikel', '/exports/e1', '/konto', '/bestellungen'].map(isOnTheWay)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
