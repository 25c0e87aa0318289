/** Does independent work of which one part may fail. */

/**
 * Does the work for each item, one after the other. An item that fails does not keep back the
 * others.
 *
 * @throws the first error of an item, after all items; an error of `items` at once
 */
export async function attemptAll<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for await (const item of items) {
    await work(item).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}
