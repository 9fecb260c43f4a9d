import { newRepricerRule, type RepricerRule } from '#shared/repricer/schema.ts';

const field = (value: string) => ({ type: '_field' as const, value });
/** Returns a rule that undercuts the lowest price by one cent, with its three price fields. */
export const undercutting = (id: string, name: string, fields: [string, string, string]): RepricerRule => {
  const made = newRepricerRule(id);
  const [min, max, standard] = fields.map(field);
  const prices = { min_price: min ?? field(''), max_price: max ?? field(''), standard_price: standard ?? field('') };
  return { ...made, name, active: true, action: { ...made.action, diff_price: '0.01', ...prices } };
};
const money = (Amount: number) => ({ CurrencyCode: 'EUR', Amount });

/**
 * Returns a marketplace's message about article `B<n>`: sellers with their price in euros (or price and shipping), and who has
 * the BuyBox.
 */
export const offerMessage = (
  n: number,
  offers: Record<string, number | [number, number]>,
  { at, id, box }: { at: Date; id: string; box?: string },
) => ({
  NotificationMetadata: { NotificationId: id },
  Payload: {
    AnyOfferChangedNotification: {
      OfferChangeTrigger: {
        MarketplaceId: 'M1',
        ASIN: `B${n}`,
        ItemCondition: 'new',
        TimeOfOfferChange: at.toISOString(),
      },
      Offers: Object.entries(offers).map(([SellerId, price]) => ({
        SellerId,
        ListingPrice: money(Array.isArray(price) ? price[0] : price),
        Shipping: money(Array.isArray(price) ? price[1] : 0),
        IsFulfilledByAmazon: false,
        IsBuyBoxWinner: SellerId === box,
      })),
    },
  },
});

type Bought = { at: Date; order: string; line?: string; changed?: Date; cancelled?: boolean };
/** Returns a marketplace's message about an order of one piece of `S<n>`. */
export const orderMessage = (n: number, { at, order, line = '1', changed = at, cancelled = false }: Bought) => ({
  Payload: {
    OrderChangeNotification: {
      SellerId: 'WIR',
      AmazonOrderId: order,
      OrderChangeTrigger: { TimeOfOrderChange: changed.toISOString() },
      Summary: {
        MarketplaceId: 'M1',
        OrderStatus: cancelled ? 'Canceled' : 'Unshipped',
        PurchaseDate: at.toISOString(),
        OrderItems: [{ OrderItemId: line, SellerSKU: `S${n}`, Quantity: 1 }],
      },
    },
  },
});
