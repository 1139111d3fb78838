// toll-heap-dotnet.js - loads toll-heap.mjs into a page of .NET:
//
//     <script src="toll/toll-heap-dotnet.js"></script> before the script that starts .NET
//
// Mono's functions that only allocate for their callers are no sites. tollHeapOptions may have more of them.
(() => {
  const MONO = [
    "monoeg_realloc", "monoeg_try_malloc", "monoeg_strdup", "monoeg_g_memdup", "monoeg_g_strdup_vprintf", "monoeg_g_strdup_printf",
    "valloc_impl", "mono_valloc", "mono_valloc_aligned", "mono_lock_free_alloc",
    "mono_mempool_alloc", "mono_mempool_alloc0", "mono_mempool_strdup",
    "mono_mem_manager_alloc", "mono_mem_manager_alloc0", "mono_mem_manager_strdup",
    "mono_image_alloc", "mono_image_alloc0", "mono_image_strdup", "mono_class_alloc", "m_class_alloc0",
    "sgen_alloc_internal", "sgen_alloc_internal_dynamic", "sgen_alloc_os_memory", "sgen_alloc_os_memory_aligned",
    "zcalloc", "uprv_malloc", "uprv_realloc",
  ];
  const options = globalThis.tollHeapOptions = globalThis.tollHeapOptions || {}, limit = options.stackLimit || 256;
  options.allocators = MONO.concat(options.allocators || []);
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;
  globalThis.tollHeapReady = import(new URL("toll-heap.mjs", document.currentScript.src).href);
})();
