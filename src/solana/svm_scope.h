/* svm_scope.h - the scopes of sections, for recorders that enter frames of their own. */
#ifndef TOLL_SOLANA_SVM_SCOPE_H
#define TOLL_SOLANA_SVM_SCOPE_H

#include <toll/svm.h>

/* As toll_svm_push and toll_svm_pop, without frames. */
toll_status toll_svm_push_scope(toll_svm *svm, const uint64_t *now, toll_error *err);
toll_status toll_svm_pop_scope(toll_svm *svm, const uint64_t *now, toll_section_results *results,
                               toll_error *err);

#endif
