import { Alert } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';

/** Warns whoever processes the order: the channel is not told what is done here. */
export function GoneNotice() {
  return (
    <Alert
      variant="outline"
      color="yellow.9"
      title="Der Kanal dieser Bestellung ist gelöscht"
      icon={<IconAlertTriangle aria-hidden />}
      styles={{
        root: { background: 'var(--k-surface)' },
        title: { color: 'var(--k-text)' },
        message: { color: 'var(--k-text)' },
        icon: { color: 'var(--k-optional-text)' },
      }}
    >
      Was Sie hier vermerken, steht nur in Kontor. Versand, Stornierung, Retoure und Erstattung melden Sie dort bitte
      selbst.
    </Alert>
  );
}
