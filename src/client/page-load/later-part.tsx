import { Button } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { logFailure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure } from '#client/ui/notices.tsx';

/** A module loader as `React.lazy` takes it. */
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

const missing = {
  title: 'Dieser Teil der Seite konnte nicht geladen werden',
  message:
    'Die Verbindung war unterbrochen, oder Kontor wurde inzwischen aktualisiert. Ihre Eingaben sind noch da: Speichern Sie sie, und laden Sie die Seite dann neu.',
};

/**
 * Makes a part of a page that is loaded when it is first shown. If it cannot be loaded, a notice is shown in its place; with
 * `React.lazy` alone, an error page would replace everything that was typed.
 * @param waiting shown until the part is loaded
 */
export const laterPart = <Props extends object>(load: Load<Props>, waiting: ReactNode = null): ComponentType<Props> =>
  later(load, MissingPart, waiting);

/** Makes a dialog that is loaded when it is first shown, and closed if it cannot be loaded. */
export const laterDialog = <Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> =>
  later(load, MissingDialog, null);

function later<Props extends object>(load: Load<Props>, instead: ComponentType<Props>, waiting: ReactNode) {
  const Part = lazy<ComponentType<Props>>(() =>
    // Requesting it again would not help: Chromium remembers a failed module for the life of a page.
    load().catch((error: unknown) => {
      logFailure('Fehler beim Laden', error);
      return { default: instead };
    }),
  );
  return function LaterPart(props: Props) {
    return (
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function MissingPart() {
  return (
    <ErrorNotice failure={missing}>
      <Button mt={8} size="xs" variant="default" onClick={() => location.reload()}>
        Seite neu laden
      </Button>
    </ErrorNotice>
  );
}

function MissingDialog({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    showFailure(missing);
    close();
  }, []);
  return null;
}
