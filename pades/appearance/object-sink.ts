/** Collects new objects of a PDF (ISO 32000-2, 7.3.10); the writer of the file numbers them. */

export interface ObjectSink {
  /**
   * Adds one object and returns its number; generation is 0.
   *
   * @param source the object as PDF source; with a stream a dictionary, which gets its `/Length`
   * @param stream bytes encoded as the `/Filter` of the source says
   */
  add(source: string, stream?: Uint8Array): number
}
