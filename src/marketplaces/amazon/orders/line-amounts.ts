import { centsOfAmount, pieceOfSum } from '#marketplaces/amounts.ts';
import type { ChannelLine } from '#marketplaces/orders-port.ts';
import type { AmazonItem, AmazonMoney } from './order-answers.ts';

type Amounts = Pick<ChannelLine, 'unitCents' | 'discountCents' | 'shippingCents' | 'taxRate'>;

const cents = (money: AmazonMoney): number | null => (money === undefined ? null : centsOfAmount(money.amount));

/**
 * Cents of one line, with tax. In Europe prices hold it already; elsewhere it stands beside them as a row of its own and is added.
 * Which of both it is shows in the line's total, where there is one.
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
  const goodsTax = part('TAX', 'ITEM') ?? (rows.some(({ type }) => type === 'SHIPPING') ? 0 : sum('TAX'));
  const { unit, rounding } = pieceOf(item, goods, taxBeside ? goodsTax : 0);
  // Signs of discounts differ from one example to the next; nobody is given a negative one.
  const shippingDiscount = Math.abs(part('DISCOUNT', 'SHIPPING') ?? 0);
  const discount = Math.abs(part('DISCOUNT', 'ITEM') ?? Math.abs(sum('DISCOUNT')) - shippingDiscount);
  // Tax is owed on what was paid: without a part of it for the discount, that of the goods is what is left of it.
  const taxed = part('TAX', 'DISCOUNT') === undefined ? goods - discount : goods;
  const net = taxBeside ? taxed : taxed - goodsTax;
  // Beside the price stands the tax of what is taken off, too: it is shared as the discounts are.
  const discountTax = taxBeside ? Math.abs(part('TAX', 'DISCOUNT') ?? 0) : 0;
  const goodsShare = discount === 0 ? 0 : Math.round((discountTax * discount) / (discount + shippingDiscount));
  const shipping = sum('SHIPPING') + (taxBeside ? (part('TAX', 'SHIPPING') ?? 0) : 0);
  return {
    // A price below nothing is none.
    unitCents: unit === null || unit < 0 ? null : unit,
    discountCents: discount + goodsShare + rounding,
    shippingCents: Math.max(0, shipping - shippingDiscount - (discountTax - goodsShare)),
    taxRate: goodsTax > 0 && net > 0 ? Math.round((10_000 * goodsTax) / net) : null,
  };
}

/** One piece with tax, by its own price or by the line's sum; `rounding` is what the pieces together are above that sum. */
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
  const without = ['ITEM', 'SHIPPING', 'GIFT_WRAP', 'COD_FEE', 'OTHER'].reduce((all, type) => all + sum(type), 0);
  return total === null || total !== without - Math.abs(sum('DISCOUNT'));
}
