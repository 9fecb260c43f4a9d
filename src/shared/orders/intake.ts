import { z } from 'zod';
import { MAX_INTEGER, moment } from '#shared/values/schema.ts';
import { Person } from './persons.ts';
import { cents, channelId, pieces } from './schema.ts';

/** Removes null members: programs send null for unknown values. */
function withoutNulls(value: unknown): unknown {
  // A null entry of a list is no order or line: it stays, and is rejected.
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

const NewPerson = Person.strict();

/** The runtime's codes of ISO 4217, without XXX (none), XTS (tests) and metals: amounts in those have no rate and no sum. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * An order sent by a shop or another program (POST /api/orders); amounts are integer cents with tax. Unknown members are refused:
 * a misspelled one would be lost without a word.
 */
const Order = z
  .strictObject({
    orderid: channelId,
    placed_at: moment,
    changed_at: moment.optional(),
    pending: z.boolean().default(false),
    ship_by: moment.optional(),
    deliver_by: moment.optional(),
    currency: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/, { error: 'Drei große Buchstaben, zum Beispiel EUR.', abort: true })
      .refine(
        (code) => currencies.has(code),
        'Diese Währung gibt es nicht. Bitte den Code nach ISO 4217, zum Beispiel EUR.',
      )
      .default('EUR'),
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{2})?$/, 'Zwei große Buchstaben, zum Beispiel DE.')
      .default(''),
    buyer_order_number: z.string().max(100).default(''),
    lines: z
      .array(
        z.strictObject({
          productid: channelId,
          sku: z.string().min(1).max(200),
          title: z.string().max(500).default(''),
          ordered: pieces,
          shipped: z.number().int().min(0).max(100_000).default(0),
          cancelled: z.number().int().min(0).max(100_000).default(0),
          unit_cents: cents.max(MAX_INTEGER).nullable().default(null),
          discount_cents: cents.max(MAX_INTEGER).default(0),
          shipping_cents: cents.max(MAX_INTEGER).default(0),
          tax_rate: z.number().int().min(0).max(10_000).nullable().default(null),
        }),
      )
      .min(1)
      .max(1000),
    persons: z
      .strictObject({ buyer: NewPerson.optional(), delivery: NewPerson.optional(), invoice: NewPerson.optional() })
      .optional(),
  })
  .meta({ id: 'NewOrder' });
export const NewOrder = z.preprocess(withoutNulls, Order);
export type NewOrder = z.infer<typeof NewOrder>;

/** Results of an intake of orders. */
export const IntakeCounts = z
  .object({
    new: z.number().int(),
    changed: z.number().int(),
    unchanged: z.number().int(),
    old: z.number().int(),
    rejected: z.array(z.object({ orderid: z.string(), message: z.string() })),
  })
  .meta({ id: 'OrderIntakeCounts' });
export type IntakeCounts = z.infer<typeof IntakeCounts>;

/** `notes`: what the file as a whole lacks, as texts for people. */
export const OrderFileCounts = IntakeCounts.extend({ notes: z.array(z.string()) }).meta({ id: 'OrderFileCounts' });
export type OrderFileCounts = z.infer<typeof OrderFileCounts>;
