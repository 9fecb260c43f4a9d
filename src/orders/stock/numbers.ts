import type { StockChannel, StockSettings } from '#shared/stock/settings.ts';

/** A larger number means "always available", not a stock; the limit also keeps arithmetic within 32 bits. */
export const MOST_PIECES = 9_999_999;

type Buffer = Pick<StockSettings, 'buffer_pieces' | 'buffer_percent'>;
type Stock = { onHand: number; reserved: number };

/** Returns the pieces kept back whatever is ordered, rounded up. */
export const bufferOf = (onHand: number, { buffer_pieces: pieces, buffer_percent: percent }: Buffer): number =>
  pieces + Math.ceil((onHand * percent) / 100);

/** Returns the pieces that may be sold. */
export const availableOf = ({ onHand, reserved }: Stock, buffer: Buffer): number =>
  Math.max(0, onHand - reserved - bufferOf(onHand, buffer));

/** Returns the pieces of `available` that a channel offers. */
export function offeredOf(available: number, { active, floor, cap, share }: Omit<StockChannel, 'id'>): number {
  if (!active || available <= floor) return 0;
  return Math.min(cap ?? available, Math.floor((available * share) / 100));
}
