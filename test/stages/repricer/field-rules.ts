import { Mapping } from '#shared/assignments/schema.ts';
import { undercutting } from './offer-message.ts';
import { exclude, rule, when } from '../feed/rules.ts';

/** An item's minimum price: its cost times a factor, in a field that no import has. */
export const floor = (factor: string, more = {}) =>
  rule(
    'Mindest',
    [when('@ALL@', 'contains', '')],
    [
      {
        field: 'mindest',
        select: 'calculate',
        actionOperator: 'multiply',
        value: [
          { type: '_field', value: 'ek' },
          { type: '_number', value: factor },
        ],
      },
    ],
    more,
  );
export const out = rule('Ohne', [when('gruppe', 'is_equal', 'raus')], [exclude]);
export const standards = (price: string) =>
  Mapping.parse({
    id: 'standard01',
    name: 'Standard',
    data: [
      {
        id: 'r1',
        field: [{ type: '_field', value: 'gruppe', caption: '' }],
        filter: 'is_not_equal',
        value: 'x',
        target: price,
      },
    ],
  });
export const repricing = undercutting('Regel00001', 'Unterbieten', ['mindest', 'bis', '_mapping:Standard']);
