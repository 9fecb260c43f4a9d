import { Alert, Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import type { ReactNode } from 'react';
import { Remedy, type FailureWords } from './notices.tsx';

type ErrorNoticeProps = {
  failure: FailureWords | null;
  onRetry?: () => void;
  onClose?: () => void;
  /** Other ways to go on than trying again. */
  children?: ReactNode;
};

/** A red notice in the page itself, next to what failed; it stays until it is closed or the failure is resolved. */
export function ErrorNotice({ failure, onRetry, onClose, children }: ErrorNoticeProps) {
  if (failure === null) return null;
  const { title, message, requestId = '', remedy } = failure;
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red.9"
      title={title}
      icon={<IconAlertTriangle aria-hidden />}
      withCloseButton={onClose !== undefined}
      onClose={onClose}
      styles={{
        root: {
          background: 'color-mix(in srgb, var(--k-required-fill) 45%, var(--k-surface))',
          borderColor: 'var(--k-required-solid)',
        },
        title: { color: 'var(--k-required-text)' },
        icon: { color: 'var(--k-required-text)' },
        message: { color: 'var(--k-required-text)' },
        closeButton: { color: 'var(--k-required-text)' },
      }}
    >
      {message}
      {remedy !== undefined && <Remedy {...remedy} />}
      {requestId !== '' && <div style={{ fontSize: 12, marginTop: 4 }}>Vorgangsnummer: {requestId}</div>}
      {onRetry !== undefined && (
        <div style={{ marginTop: 8 }}>
          <Button size="xs" variant="default" onClick={onRetry}>
            Erneut versuchen
          </Button>
        </div>
      )}
      {children}
    </Alert>
  );
}
