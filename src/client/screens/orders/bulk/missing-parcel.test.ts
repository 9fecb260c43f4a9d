import { expect, it } from 'vitest';
import { missingParcel } from './missing-parcel.ts';

const draft = (carrier: string, tracking: string, open = true) => ({ open, carrier, tracking });

it('says what is missing until one parcel is complete', () => {
  expect(missingParcel([draft('', ''), draft('', ' ')])).toBe(
    'Bitte einen Versanddienst wählen und mindestens eine Sendungsnummer eingeben.',
  );
  expect(missingParcel([draft('DHL', ''), draft('DHL', ' ')])).toBe('Bitte mindestens eine Sendungsnummer eingeben.');
  expect(missingParcel([draft('', '0034'), draft('GLS', '')])).toBe(
    'Bitte zur Sendungsnummer einen Versanddienst wählen.',
  );
  expect(missingParcel([draft('', '0034'), draft('GLS', '0035')])).toBe('');
});

it('does not count parcels of orders that may not be shipped', () => {
  expect(missingParcel([draft('DHL', '0034', false)])).toBe(
    'Von diesen Bestellungen lässt sich gerade keine versenden.',
  );
  expect(missingParcel([draft('DHL', '0034', false), draft('DHL', '')])).toBe(
    'Bitte mindestens eine Sendungsnummer eingeben.',
  );
});
