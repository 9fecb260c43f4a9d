import { between, type Chance } from '#marketplaces/sandbox/faults.ts';

/**
 * Part of every name, street, town and email address of the sandbox's buyers: a search for it finds personal data where none may
 * be.
 */
export const PERSON_MARKER = 'Kanari';
/** Part of every telephone number, for the same search. The Bundesnetzagentur reserves these numbers for films. */
export const PHONE_MARKER = '30 23125';

export type SandboxPerson = {
  name: string;
  company: string;
  street: string;
  addition: string;
  postalCode: string;
  city: string;
  country: string;
  email: string;
  phone: string;
  orderNumber: string;
};

const first = ['Berta', 'Emil', 'Frieda', 'Gustav', 'Hedwig', 'Knut', 'Ludmilla', 'Otto'];
const last = ['Beispiel', 'Platzhalter', 'Muster', 'Attrappe', 'Probe', 'Versuch'];
const streets = ['Weg', 'Gasse', 'Allee', 'Ufer', 'Platz'];
const towns = ['Stadt', 'Hausen', 'Dorf', 'Tal'];

/** Returns a fictitious person. */
export function inventPerson(chance: Chance): SandboxPerson {
  const one = (list: readonly string[]) => list[between(chance, 0, list.length - 1)] ?? '';
  const number = between(chance, 1, 99);
  const isBusiness = number % 5 === 0;
  return {
    name: `${PERSON_MARKER}-${one(first)} ${one(last)}`,
    company: isBusiness ? `${PERSON_MARKER} Handels GmbH` : '',
    street: `${PERSON_MARKER}-${one(streets)} ${number}`,
    addition: number % 3 === 0 ? `${PERSON_MARKER}-Hinterhaus` : '',
    // No town has this postal code.
    postalCode: '00000',
    city: `${PERSON_MARKER}-${one(towns)}`,
    country: number % 7 === 0 ? 'AT' : 'DE',
    email: `${PERSON_MARKER.toLowerCase()}-${number}@marketplace.invalid`,
    phone: `+49 ${PHONE_MARKER} ${String(number).padStart(3, '0')}`,
    orderNumber: isBusiness ? `BE-${number}` : '',
  };
}

/** Whether a text contains data of the fictitious persons. */
export const namesAPerson = (text: string): boolean => text.toLowerCase().includes(PERSON_MARKER.toLowerCase());
