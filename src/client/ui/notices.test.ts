import { notificationsStore } from '@mantine/notifications';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showHint } from './notices.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('REP-13 a hint disappears after 5 seconds, which hovering with the mouse cannot delay', () => {
  const shown = () => notificationsStore.getState().notifications.map(({ message, autoClose }) => [message, autoClose]);
  showHint('Unvollständig');
  vi.advanceTimersByTime(4999);
  expect(shown()).toEqual([['Unvollständig', false]]);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
});
