import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';

/** The confirmation that may still stand: two at once would say the same. */
let confirmation: string | undefined;

/** GEN-04: confirms a save for 2 seconds, wherever the mouse is. Announced politely, since nothing is wrong. */
export function showSaved(message: string, title?: string): void {
  if (confirmation !== undefined) notifications.hide(confirmation);
  const id = notifications.show({
    title,
    message,
    color: 'green.9',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    withCloseButton: false,
    // By a clock of our own: the library's stands still while the mouse is over a notice, often the one that pressed 'Speichern'.
    autoClose: false,
  });
  confirmation = id;
  setTimeout(() => notifications.hide(id), 2000);
}

export type FailureWords = {
  title: string;
  message: string;
  requestId?: string;
  /** A way to mend it, in a window of its own: what was typed stays. */
  remedy?: { label: string; href: string };
};

/** GEN-05: a red notice with the cause that stays until it is closed. The log entry is the caller's. */
export function showFailure({ title, message, requestId, remedy }: FailureWords): void {
  notifications.show({
    id: `${title}:${message}`,
    title,
    message: (
      <>
        {requestId === undefined || requestId === '' ? message : `${message} (Vorgang ${requestId})`}
        {remedy !== undefined && <Remedy {...remedy} />}
      </>
    ),
    color: 'red.9',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'alert',
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Schließen' },
  });
}

/** Something was done, but not quite as asked: read for 5 seconds, then gone. What it is about stays visible in the form. */
export function showHint(message: string): void {
  const id = notifications.show({
    message,
    color: 'yellow.9',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'status',
    withCloseButton: false,
    // By a clock of our own, as above: the mouse still lies on 'Speichern', above which the hint may come up.
    autoClose: false,
  });
  setTimeout(() => notifications.hide(id), 5000);
}

/** The way to mend a failure, in a window of its own. */
export function Remedy({ label, href }: { label: string; href: string }) {
  return (
    <span style={{ display: 'block', marginTop: 8 }}>
      <Button component="a" href={href} target="_blank" rel="noopener" size="xs" variant="default">
        {label}
      </Button>
    </span>
  );
}
