/** Addresses within this page for octets that the page has. */
import { useEffect, useState } from 'preact/hooks'

/** An address for a part of a file or a made one; it ends with the view. */
export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (!content) return undefined
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return url
}
