import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCheck from 'virtual:icons/check';
import { Badge } from '#client/ui/badge.tsx';
import type { ParcelResult } from './use-shipping.ts';
import classes from './bulk.module.css';

/** The result of a parcel, in words. */
export function ResultBadge({ result }: { result: ParcelResult }) {
  if (result.ok)
    return (
      <Badge tone="green" icon={IconCheck}>
        {result.message}
      </Badge>
    );
  return (
    <span className={classes.failed}>
      <IconAlertTriangle size={14} aria-hidden /> {result.message}
    </span>
  );
}
