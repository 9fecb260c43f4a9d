import { centsOfAmount } from '#marketplaces/amounts.ts';
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
  const unit = cents(item.product?.price?.unitPrice);
  const pieces = item.quantityOrdered;
  const each = unit ?? (goods > 0 && pieces > 0 ? Math.round(goods / pieces) : null);
  const gross = each === null || !taxBeside || pieces === 0 ? each : each + Math.round(goodsTax / pieces);
  const net = taxBeside ? goods : goods - goodsTax;
  // Signs of discounts differ from one example to the next; nobody is given a negative one.
  const shippingDiscount = Math.abs(part('DISCOUNT', 'SHIPPING') ?? 0);
  const shipping = sum('SHIPPING') + (taxBeside ? (part('TAX', 'SHIPPING') ?? 0) : 0);
  return {
    // A price below nothing is none.
    unitCents: gross === null || gross < 0 ? null : gross,
    discountCents: Math.abs(part('DISCOUNT', 'ITEM') ?? Math.abs(sum('DISCOUNT')) - shippingDiscount),
    shippingCents: Math.max(0, shipping - shippingDiscount),
    taxRate: goodsTax > 0 && net > 0 ? Math.round((10_000 * goodsTax) / net) : null,
  };
}

function isTaxBeside(item: AmazonItem, sum: (type: string) => number): boolean {
  const tax = sum('TAX');
  if (tax === 0) return false;
  const total = cents(item.proceeds?.proceedsTotal);
  const without = ['ITEM', 'SHIPPING', 'GIFT_WRAP', 'COD_FEE', 'OTHER'].reduce((all, type) => all + sum(type), 0);
  return total === null || total !== without - Math.abs(sum('DISCOUNT'));
}
