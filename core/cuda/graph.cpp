#include "core/cuda/graph.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kGraphs = "graphs of recorded work";

class CudaRecording final : public RecordingState {
 public:
  explicit CudaRecording(const Graph& graph) : graph_(graph) {}
  void replay(const Stream& stream) override { graph_.launch(stream); }

 private:
  ExecutableGraph graph_;
};

}  // namespace

struct Graph::State {
  explicit State(std::shared_ptr<CudaDevice> its_device) : device(std::move(its_device)) {}
  ~State() {
    const ScopedContext current(device->context());
    if (graph != nullptr && current.is_current()) driver().cuGraphDestroy(graph);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::shared_ptr<CudaDevice> device;
  CUgraph graph{};
};

struct ExecutableGraph::State {
  explicit State(std::shared_ptr<CudaDevice> its_device) : device(std::move(its_device)) {}
  ~State() {
    const ScopedContext current(device->context());
    if (graph != nullptr && current.is_current()) driver().cuGraphExecDestroy(graph);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::shared_ptr<CudaDevice> device;
  CUgraphExec graph{};
};

Graph Graph::capture(const Stream& stream, const std::function<void()>& work) {
  CudaStream& queue = cuda_stream(stream, kGraphs);
  Graph recorded;
  recorded.state_ = std::make_shared<State>(queue.device());
  const Current current(*queue.device());
  check(driver().cuStreamBeginCapture_v2(queue.get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
  try {
    work();
  } catch (...) {
    // Ending the capture frees the stream; what it says of the broken recording matters less than what was thrown.
    driver().cuStreamEndCapture(queue.get(), &recorded.state_->graph);
    throw;
  }
  check(driver().cuStreamEndCapture(queue.get(), &recorded.state_->graph), "cuStreamEndCapture",
        "the recorded work must not wait for the device, and other streams must be joined again");
  return recorded;
}

std::size_t Graph::nodes() const {
  const Current current(*state_->device);
  std::size_t count = 0;
  check(driver().cuGraphGetNodes(state_->graph, nullptr, &count), "cuGraphGetNodes");
  return count;
}

ExecutableGraph::ExecutableGraph(const Graph& graph) : state_(std::make_shared<State>(graph.state_->device)) {
  const Current current(*state_->device);
  check(driver().cuGraphInstantiateWithFlags(&state_->graph, graph.state_->graph, 0), "cuGraphInstantiate");
}

void ExecutableGraph::update(const Graph& graph) {
  const Current current(*state_->device);
  CUgraphExecUpdateResultInfo what{};
  const CUresult code = driver().cuGraphExecUpdate_v2(state_->graph, graph.state_->graph, &what);
  check(code, "cuGraphExecUpdate",
        "the recording differs in more than arguments and shapes (reason " +
            std::to_string(static_cast<int>(what.result)) + " of CUgraphExecUpdateResult); make a new ExecutableGraph");
}

void ExecutableGraph::launch(const Stream& stream) const {
  CudaStream& queue = cuda_stream(stream, kGraphs);
  const Current current(*state_->device);
  check(driver().cuGraphLaunch(state_->graph, queue.get()), "cuGraphLaunch");
}

std::shared_ptr<RecordingState> CudaStream::capture(const Stream& self, const std::function<void()>& work) {
  return std::make_shared<CudaRecording>(Graph::capture(self, work));
}

}  // namespace maxwell_dg::core::cuda
