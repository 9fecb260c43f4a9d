import { data } from 'react-router';

/** Every address without a screen. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function Unknown() {
  return null;
}
