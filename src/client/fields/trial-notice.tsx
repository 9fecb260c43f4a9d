import { Alert } from '@mantine/core';
import IconCircleCheck from 'virtual:icons/circle-check';
import type { Trial } from '#shared/notifications/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';

/** The result of a trial. */
export function TrialNotice({ trial, success }: { trial: Trial | null; success: string }) {
  if (trial === null) return null;
  if (!trial.success) return <ErrorNotice failure={{ title: 'Das hat nicht geklappt', message: trial.error }} />;
  return (
    <Alert
      role="status"
      variant="outline"
      color="green"
      icon={<IconCircleCheck aria-hidden />}
      styles={{ message: { color: 'var(--k-text)' }, root: { background: 'var(--k-surface)' } }}
    >
      {success}
    </Alert>
  );
}
