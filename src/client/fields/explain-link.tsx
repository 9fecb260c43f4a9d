import { ActionIcon } from '@mantine/core';
import IconZoomQuestion from 'virtual:icons/zoom-question';
import { Link } from 'react-router';

/** A small button that leads to the origin of a value; `label` names item or field. */
export function ExplainLink({ to, label }: { to: string; label: string }) {
  return (
    <ActionIcon component={Link} to={to} variant="subtle" size={24} c="var(--k-muted)" aria-label={label} title={label}>
      <IconZoomQuestion size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
