import { centsOfAmount, pieceOfSum } from '#marketplaces/amounts.ts';
import type { ChannelLine } from '#marketplaces/orders-port.ts';
import type { AmazonItem, AmazonMoney } from './order-answers.ts';

type Amounts = Pick<ChannelLine, 'unitCents' | 'discountCents' | 'shippingCents' | 'taxRate'>;

const cents = (money: AmazonMoney): number | null => (money === undefined ? null : centsOfAmount(money.amount));

/** Charges that the buyer pays beside goods and shipping: they are stored with the shipping cost, so that the total is Amazon's. */
const EXTRAS = ['GIFT_WRAP', 'COD_FEE', 'OTHER'] as const;

/**
 * Returns a line's amounts in cents, with tax. In Europe prices include tax; elsewhere tax is a separate row and is added here.
 * Where the line has a total, the total shows which of the two applies.
 */
export function lineAmounts(item: AmazonItem): Amounts {
  const rows = item.proceeds?.breakdowns ?? [];
  const sum = (type: string) => {
    const found = rows.filter((row) => row.type === type).map(({ subtotal }) => cents(subtotal) ?? 0);
    return found.reduce((total, one) => total + one, 0);
  };
  const part = (type: string, subtype: string) => {
    const details = rows.filter((row) => row.type === type).flatMap((row) => row.detailedBreakdowns);
    const found = details.filter((one) => one.subtype === subtype).map(({ value }) => cents(value) ?? 0);
    return found.length === 0 ? undefined : found.reduce((total, one) => total + one, 0);
  };
  const taxBeside = isTaxBeside(item, sum);
  const goods = sum('ITEM');
  const extras = (of: (type: string) => number) => EXTRAS.reduce((total, type) => total + of(type), 0);
  const isOnlyGoods = sum('SHIPPING') === 0 && extras(sum) === 0;
  const goodsTax = part('TAX', 'ITEM') ?? (isOnlyGoods ? sum('TAX') : 0);
  const { unit, rounding } = pieceOf(item, goods, taxBeside ? goodsTax : 0);
  // The sign of discounts differs between Amazon's examples; the result is never negative.
  const shippingDiscount =
    Math.abs(part('DISCOUNT', 'SHIPPING') ?? 0) + extras((type) => Math.abs(part('DISCOUNT', type) ?? 0));
  const discount = Math.abs(part('DISCOUNT', 'ITEM') ?? Math.abs(sum('DISCOUNT')) - shippingDiscount);
  // Tax is owed on what was paid: without a row for the discount's tax, the tax of the goods is that of the discounted price.
  const taxed = part('TAX', 'DISCOUNT') === undefined ? goods - discount : goods;
  const net = taxBeside ? taxed : taxed - goodsTax;
  // Where tax is separate, the tax of the discount is too: it is shared in proportion to the discounts.
  const discountTax = taxBeside ? Math.abs(part('TAX', 'DISCOUNT') ?? 0) : 0;
  const goodsShare = discount === 0 ? 0 : Math.round((discountTax * discount) / (discount + shippingDiscount));
  const isDetailed = rows.some(({ type, detailedBreakdowns }) => type === 'TAX' && detailedBreakdowns.length > 0);
  const partTax = (part('TAX', 'SHIPPING') ?? 0) + extras((type) => part('TAX', type) ?? 0);
  // Tax that names no parts belongs to all of them, which is not known: the total includes it at least.
  const shippingTax = isDetailed || isOnlyGoods ? partTax : sum('TAX');
  const shipping = sum('SHIPPING') + extras(sum) + (taxBeside ? shippingTax : 0);
  return {
    // A negative price is unknown.
    unitCents: unit === null || unit < 0 ? null : unit,
    discountCents: discount + goodsShare + rounding,
    shippingCents: Math.max(0, shipping - shippingDiscount - (discountTax - goodsShare)),
    taxRate: goodsTax > 0 && net > 0 ? Math.round((10_000 * goodsTax) / net) : null,
  };
}

/**
 * Returns the price of one piece with tax, from its own price or the line's sum. `rounding`: cents by which all pieces exceed
 * that sum.
 */
function pieceOf(
  { product, quantityOrdered: pieces }: AmazonItem,
  goods: number,
  taxBeside: number,
): { unit: number | null; rounding: number } {
  const unit = cents(product?.price?.unitPrice);
  if (pieces <= 0 || (unit === null && goods <= 0)) return { unit, rounding: 0 };
  const { unit: gross, discount } = pieceOfSum((unit === null ? goods : unit * pieces) + taxBeside, pieces);
  return { unit: gross, rounding: discount };
}

function isTaxBeside(item: AmazonItem, sum: (type: string) => number): boolean {
  const tax = sum('TAX');
  if (tax === 0) return false;
  const total = cents(item.proceeds?.proceedsTotal);
  const without = ['ITEM', 'SHIPPING', ...EXTRAS].reduce((all, type) => all + sum(type), 0);
  return total === null || total !== without - Math.abs(sum('DISCOUNT'));
}
