import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCheck from 'virtual:icons/check';

/** Id of the confirmation that may still be shown: two at once would say the same. */
let confirmation: string | undefined;

/** GEN-04: confirms a save for 2 seconds, wherever the pointer is. Announced politely, since nothing is wrong. */
export function showSaved(message: string, title?: string): void {
  if (confirmation !== undefined) notifications.hide(confirmation);
  const id = notifications.show({
    title,
    message,
    color: 'green.9',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    withCloseButton: false,
    // Closed by our own timer: the library's pauses while the pointer is over a notice, often where 'Speichern' was pressed.
    autoClose: false,
  });
  confirmation = id;
  setTimeout(() => notifications.hide(id), 2000);
}

export type FailureWords = {
  title: string;
  message: string;
  requestId?: string;
  /** A link that helps to resolve it, in another window: what was typed stays. */
  remedy?: { label: string; href: string };
};

/** GEN-05: a red notice with the cause that stays until it is closed. The caller writes the log entry. */
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

/** Reports that something was done, but not quite as requested: shown for 5 seconds. The details stay visible in the form. */
export function showHint(message: string): void {
  const id = notifications.show({
    message,
    color: 'yellow.9',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'status',
    withCloseButton: false,
    // Closed by our own timer, as above: the pointer is still on 'Speichern', and the hint may appear under it.
    autoClose: false,
  });
  setTimeout(() => notifications.hide(id), 5000);
}

/** A link that helps to resolve a failure, in another window. */
export function Remedy({ label, href }: { label: string; href: string }) {
  return (
    <span style={{ display: 'block', marginTop: 8 }}>
      <Button component="a" href={href} target="_blank" rel="noopener" size="xs" variant="default">
        {label}
      </Button>
    </span>
  );
}
