import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDecimal,
  formatDuration,
  formatFilled,
  formatFirst,
  formatInteger,
  formatPercent,
  formatShare,
  formatClock,
  formatShortTime,
  formatTime,
} from './formats.ts';

describe('German formats', () => {
  it('GEN-01 writes numbers, percentages and sizes in German notation, with a real minus sign', () => {
    expect(formatInteger(1234567)).toBe('1.234.567');
    expect(formatDecimal(-1234.5)).toBe('\u22121.234,5');
    expect(formatPercent(0.123)).toBe('12,3\u00a0%');
    expect([0.99951, 1, 2 / 3, 2 / 4536, 0].map(formatShare)).toEqual(
      ['99,9', '100', '66,7', 'unter 0,1', '0'].map((share) => `${share}\u00a0%`),
    );
    expect([285 / 446, 4149 / 4150, 0.29, 1, 3 / 4150, 0].map(formatFilled)).toEqual(
      ['63,9', '99,9', '29', '100', 'unter 0,1', '0'].map((share) => `${share}\u00a0%`),
    );
    expect(formatBytes(12_345_678)).toBe('12,3\u00a0MB');
    expect(formatCount(1, 'Datensatz', 'Datensätze')).toBe('1\u00a0Datensatz');
    expect(formatFirst(1, 1)).toBe('Der erste von 1\u00a0Artikel');
    expect(formatFirst(1000, 1200)).toBe('Die ersten 1.000 von 1.200\u00a0Artikeln');
  });

  it('GEN-01 writes times of Berlin whatever the zone of the machine', () => {
    expect(formatTime('2026-07-20T14:04:00Z')).toBe('20.07.2026, 16:04');
    expect(formatClock('2026-07-20T14:04:00Z')).toBe('16:04');
    expect(formatShortTime('2026-12-31T23:30:00Z')).toBe('01.01.27, 00:30');
    expect(formatDuration('2026-07-20T14:04:00Z', '2026-07-20T14:06:05Z')).toBe('2\u00a0min 5\u00a0s');
  });
});
