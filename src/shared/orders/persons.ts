import { z } from 'zod';
import { channelId } from './schema.ts';

/** Personal data of an order, decrypted for an authorised user; every reading is recorded. */
export const Person = z.object({
  name: z.string().max(200).default(''),
  company: z.string().max(200).default(''),
  lines: z.array(z.string().max(200)).max(5).default([]),
  postalCode: z.string().max(20).default(''),
  city: z.string().max(100).default(''),
  region: z.string().max(100).default(''),
  country: z.string().max(2).default(''),
  email: z.string().max(254).default(''),
  phone: z.string().max(50).default(''),
  /** Wishes of the buyer for packing as a gift, and his message, as texts for people; of the delivery address only. */
  gifts: z.array(z.string().max(1000)).max(50).optional(),
});
export type Person = z.infer<typeof Person>;
export const OrderPersons = z
  .object({
    orderid: channelId,
    channel: z.string(),
    buyer: Person.optional(),
    delivery: Person.optional(),
    invoice: Person.optional(),
    /** The address was changed after the first version. */
    changed: z.boolean(),
    erase_after: z.string().nullable(),
  })
  .meta({ id: 'OrderPersons' });
export type OrderPersons = z.infer<typeof OrderPersons>;
export const readingPurposes = ['view', 'packing_slip', 'pick_list', 'export'] as const;
